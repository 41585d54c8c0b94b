/** Third-party CAPTCHAs as a separate chunk, loaded only if the server is configured to use one. */
export { isCaptchaProvider } from './captcha-provider.ts';
export { Captcha } from './captcha.ts';
