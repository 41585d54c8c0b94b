import { Hono } from 'hono';
import type { Deps } from '../../pages/deps.ts';
import { readForm } from '@connect-embed/api/http/read-form';
import type { Html } from '@connect-embed/api/lib/html';
import { safePath } from '../../pages/same-site.ts';
import { addCookies } from '../../pages/sign-in-redirects.ts';
import { tooManyAttempts } from '../../sign-in/too-many-attempts.ts';
import type { DashboardContext, DashboardEnv, FlashMessage } from '../../pages/env.ts';
import { TWO_STEP_PATH } from '../../pages/require-second-factor.ts';
import { dashboardPage } from '../../pages/dashboard-layout.ts';
import { backupCodesView, beginView, changeView, confirmView } from './two-step-view.ts';

const ACCOUNT = '/dashboard/account';
/** Time to install an authenticator app and enter its first code. */
const SETUP_MS = 30 * 60_000;

const WRONG_PASSWORD_OR_CODE = 'The password or code is wrong.';

/** Account pages where people turn two-step sign-in on and off and create new backup codes. */
export const twoStep = (deps: Deps) =>
  new Hono<DashboardEnv>()
    .get('/', (c) => {
      const { hasSecondFactor } = c.var.pageContext.person;
      return renderPage(c, hasSecondFactor ? changeView : beginView(nextOf(c.req.query('next'))));
    })
    .post('/begin', (c) => beginSetup(c, deps))
    .post('/confirm', (c) => confirmSetup(c, deps))
    .post('/backup-codes', (c) => renewBackupCodes(c, deps))
    .post('/off', (c) => turnOff(c, deps));

/** Shows the new TOTP secret to a person who entered their password. */
async function beginSetup(c: DashboardContext, deps: Deps) {
  const { person } = c.var.pageContext;
  const field = await readForm(c);
  const next = nextOf(field('next'));
  if (person.hasSecondFactor) return c.redirect(TWO_STEP_PATH, 303);
  const attempt = await deps.signInAttempts.countConfirmation(person.id);
  if (attempt.waitSeconds > 0)
    return renderPage(c, beginView(next), tooManyAttempts(c, attempt.waitSeconds), 429);
  const { secondFactor } = await deps.loadPeople();
  const uri = await secondFactor.startSetup(c.req.raw.headers, field('password'));
  if (!uri) return renderPage(c, beginView(next), 'The password is wrong.', 400);
  await attempt.markSucceeded();
  const setup = await encryptSetup(deps, person.id, uri);
  return renderPage(c, confirmView({ uri, setup, next }));
}

/** Turns two-step sign-in on after a code from the app, and shows the backup codes. */
async function confirmSetup(c: DashboardContext, deps: Deps) {
  const { person } = c.var.pageContext;
  const field = await readForm(c);
  const next = nextOf(field('next'));
  const setup = field('setup');
  const uri = await decryptSetup(deps, person.id, setup);
  if (person.hasSecondFactor || !uri) return c.redirect(TWO_STEP_PATH, 303);
  const page = confirmView({ uri, setup, next });
  const attempt = await deps.signInAttempts.countConfirmation(person.id);
  if (attempt.waitSeconds > 0)
    return renderPage(c, page, tooManyAttempts(c, attempt.waitSeconds), 429);
  const { secondFactor } = await deps.loadPeople();
  const result = await secondFactor.confirmSetup(c.req.raw.headers, person.id, field('code'));
  if (!result) {
    const problem =
      'The code is wrong. Wait for the next one, and check that the clock of your phone is correct.';
    return renderPage(c, page, problem, 400);
  }
  await attempt.markSucceeded();
  addCookies(c, result.cookies);
  const text = 'Two-step sign-in is on. You were signed out on all other devices.';
  return renderPage(c, backupCodesView(result.backupCodes, next), { kind: 'success', text });
}

async function renewBackupCodes(c: DashboardContext, deps: Deps) {
  const { secondFactor } = await deps.loadPeople();
  const codes = await runProtectedChange(c, deps, (...proof) =>
    secondFactor.renewBackupCodes(...proof),
  );
  if (codes instanceof Response) return codes;
  const text = 'These are your new backup codes. The old ones no longer work.';
  return renderPage(c, backupCodesView(codes, ACCOUNT), { kind: 'success', text });
}

async function turnOff(c: DashboardContext, deps: Deps) {
  const { secondFactor } = await deps.loadPeople();
  const cookies = await runProtectedChange(c, deps, (...proof) => secondFactor.disable(...proof));
  if (cookies instanceof Response) return cookies;
  addCookies(c, cookies);
  const text = 'Two-step sign-in is off.';
  return await c.var.redirectWithFlash(ACCOUNT, { kind: 'success', text });
}

/**
 * Runs a change that requires the password and a code.
 *
 * @returns the result of `operation`; or a response with an error, or a redirect if two-step sign-in
 *   is off
 */
async function runProtectedChange<Result extends object>(
  c: DashboardContext,
  { signInAttempts }: Deps,
  operation: (
    ...proof: [headers: Headers, personId: string, password: string, code: string]
  ) => Promise<Result | undefined>,
): Promise<Result | Response> {
  const { person } = c.var.pageContext;
  const field = await readForm(c);
  if (!person.hasSecondFactor) return c.redirect(TWO_STEP_PATH, 303);
  const attempt = await signInAttempts.countConfirmation(person.id);
  if (attempt.waitSeconds > 0)
    return renderPage(c, changeView, tooManyAttempts(c, attempt.waitSeconds), 429);
  const proof = [field('password'), field('code')] as const;
  const result = await operation(c.req.raw.headers, person.id, ...proof);
  if (!result) return renderPage(c, changeView, WRONG_PASSWORD_OR_CODE, 400);
  await attempt.markSucceeded();
  return result;
}

const nextOf = (path: string | undefined) => safePath(path, ACCOUNT);

function renderPage(
  c: DashboardContext,
  content: Html,
  flash: FlashMessage | string | undefined = c.var.pageContext.flash,
  status: 200 | 400 | 429 = 200,
) {
  const backLink = { href: ACCOUNT, text: 'Account' };
  const flashMessage =
    typeof flash === 'string' ? ({ kind: 'problem', text: flash } as const) : flash;
  const pageContext = { ...c.var.pageContext, path: TWO_STEP_PATH, backLink };
  return c.html(dashboardPage(pageContext, 'Two-step sign-in', content, flashMessage), status);
}

/**
 * Encrypts the new TOTP secret for a hidden form field, which stores it until a code confirms it. A
 * stolen session alone can therefore neither read a secret nor turn two-step sign-in on: both
 * require the password.
 */
const encryptSetup = (
  { twoStepSetupEncrypter }: Pick<Deps, 'twoStepSetupEncrypter'>,
  personId: string,
  uri: string,
) =>
  twoStepSetupEncrypter.encrypt(
    JSON.stringify({ uri, expiresAtMs: Date.now() + SETUP_MS }),
    personId,
  );

async function decryptSetup(
  { twoStepSetupEncrypter }: Pick<Deps, 'twoStepSetupEncrypter'>,
  personId: string,
  encryptedSetup: string,
) {
  const text = await twoStepSetupEncrypter.decrypt(encryptedSetup, personId);
  if (!text) return undefined;
  const { uri, expiresAtMs } = JSON.parse(text) as { uri: string; expiresAtMs: number };
  return expiresAtMs > Date.now() ? uri : undefined;
}
