#!/bin/sh
# Installs the command that `npm run build:packages` has built, in the versions of package-lock.json and without install
# scripts: docs/production.md.
# Usage: sh deploy/install.sh <folder>
set -eu
if [ $# -ne 1 ]; then
  echo 'Usage: sh deploy/install.sh /opt/connect-embed' >&2
  exit 2
fi
root=$(cd "$(dirname "$0")/.." && pwd)
packages=$root/dist/packages
mkdir -p "$1"
cd "$1"
# npm installs the versions of a lock file that it finds, and removes from the file what it does not install.
cp "$root/package-lock.json" .
npm install --omit=dev --ignore-scripts --no-audit --no-fund \
  "$packages"/connect-embed-[0-9]*.tgz "$packages"/connect-embed-client-*.tgz "$packages"/connect-embed-contract-*.tgz \
  "$packages"/connect-embed-locales-*.tgz "$packages"/connect-embed-server-*.tgz
