import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLocalHost, parseAllowedHosts } from './local-host.ts';

const hostnameOf = (host: string) => new URL(`http://${host}`).hostname;

test('this machine, IP addresses and allowed names are local hosts', () => {
  const allowed = parseAllowedHosts('Sandbox, .preview.example');
  for (const host of [
    'localhost',
    'LOCALHOST:4300',
    'shop.localhost',
    '127.0.0.1:4300',
    '192.168.1.7',
    '0x7f.1', // The URL parser normalizes it to 127.0.0.1, as browsers do.
    '[::1]:4300',
    'sandbox:4300',
    '4300-mine.preview.example',
  ]) {
    assert.equal(isLocalHost(hostnameOf(host), allowed), true, host);
  }
});

test('other names are not local hosts, even if they look similar', () => {
  const allowed = parseAllowedHosts('sandbox .preview.example');
  for (const host of [
    'rebinding.example:4300',
    'localhost.rebinding.example',
    'mylocalhost',
    '127.0.0.1.rebinding.example',
    'sandbox.rebinding.example',
    'preview.example',
    'mypreview.example',
  ]) {
    assert.equal(isLocalHost(hostnameOf(host), allowed), false, host);
  }
  assert.equal(isLocalHost('sandbox'), false);
});
