/**
 * Importing this file makes scrypt compute the key of a password and its salt once in this process.
 * The result is the same, and tests sign the same people in hundreds of times, 0.1 s of processor time
 * each.
 */
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { promisify } from 'node:util';

const scrypt = promisify<string, string, number, crypto.ScryptOptions, Buffer>(crypto.scrypt);
const keys = new Map<string, Promise<Buffer>>();

/** The form of `crypto.scrypt` that Better Auth calls. */
function scryptOnce(
  password: string,
  salt: string,
  keyLength: number,
  options: crypto.ScryptOptions,
  done: (error: Error | null, key?: Buffer) => void,
): void {
  assert.equal(typeof done, 'function', 'scrypt is called with options');
  const parameters = JSON.stringify([password, salt, keyLength, options]);
  const key = keys.get(parameters) ?? scrypt(password, salt, keyLength, options);
  keys.set(parameters, key);
  key.then((bytes) => done(null, bytes), done);
}

Object.assign(crypto, { scrypt: scryptOnce });
syncBuiltinESMExports();
