/** Somebody else's checks, in one file that only their donors fetch. */
export { isCaptchaProvider } from './captcha-provider.ts';
export { Captcha } from './captcha.ts';
