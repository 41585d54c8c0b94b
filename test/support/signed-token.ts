import { createHmac } from 'node:crypto';

/** Changes claims of an HS256 token and signs it again, as an attacker with the secret could. */
export function resignToken(
  token: string,
  secret: string,
  change: Record<string, unknown>,
): string {
  const [header, payload] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString()) as object;
  return sign(header!, { ...claims, ...change }, secret);
}

/** Signs a viewer token as a platform does. */
export function signViewerToken(secret: string, claims: Record<string, unknown> = {}): string {
  const header = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT' })).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + 300;
  return sign(header, { sub: 'someone@platform.example', exp, ...claims }, secret);
}

function sign(header: string, claims: object, secret: string): string {
  const body = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
}
