#!/bin/sh
# Writes the settings of a new installation with new secrets: docs/production.md.
# Usage: sh create-env.sh <name of the API and dashboard> <name of the server> [file]
set -eu
# Only the owner may read the file, and an existing file is never overwritten.
umask 077
set -C

if [ $# -lt 2 ] || [ $# -gt 3 ]; then
  echo 'Usage: sh create-env.sh connect.example.org give.example.org [file]' >&2
  exit 2
fi
file=${3:-.env}
if [ -e "$file" ]; then
  echo "$file exists already. Its secrets belong to your database, so it is not changed." >&2
  exit 1
fi

cat > "$file" <<END
# Keep a copy of this file with your backups: without API_SECRET a backup of the database is of little use.
# Without it, commands such as doctor would look at the sandbox instead of Stripe.
NODE_ENV=production
API_BASE_URL=https://$1
SERVER_BASE_URL=https://$2
API_SECRET=$(openssl rand -hex 32)
SESSION_SECRET=$(openssl rand -hex 32)
SERVER_API_KEY=gb_live_$(openssl rand -base64 32 | tr '+/' '-_' | tr -d '=')
POSTGRES_PASSWORD=$(openssl rand -hex 24)
METRICS_TOKEN=$(openssl rand -hex 24)

# Your mail server. Without it donors get no receipts.
SMTP_URL=
MAIL_FROM=
END
echo "$file was written. Add SMTP_URL and MAIL_FROM, so that donors get receipts."
