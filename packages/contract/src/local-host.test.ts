import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLocalHost, parseAllowedHosts } from './local-host.ts';

const hostnameOf = (host: string) => new URL(`http://${host}`).hostname;

test('local hosts are this machine, IP addresses, and names that were allowed', () => {
  const allowed = parseAllowedHosts('Sandbox, .preview.example');
  for (const host of [
    'localhost',
    'LOCALHOST:4300',
    'shop.localhost',
    '127.0.0.1:4300',
    '192.168.1.7',
    '0x7f.1', // The URL parser says 127.0.0.1, and so does the browser.
    '[::1]:4300',
    'sandbox:4300',
    '4300-mine.preview.example',
  ]) {
    assert.equal(isLocalHost(hostnameOf(host), allowed), true, host);
  }
});

test('any other name is not local, however it resembles one', () => {
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
