import { SignJWT } from 'jose';

const secret = new TextEncoder().encode(process.env.VIEWER_SECRET);

export const signViewerToken = (user) =>
  new SignJWT({ components: ['donations', 'payouts'] })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(user)
    .setExpirationTime('10 minutes')
    .sign(secret);

console.log(await signViewerToken('user_123'));
