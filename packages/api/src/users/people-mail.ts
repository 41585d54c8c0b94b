import type { MailConfig } from '../config.ts';
import { createTranslator } from '@connect-embed/locales';
import { newId } from '../lib/id.ts';
import { renderText, type EmailContent } from '../mail/email-content.ts';
import { renderHtml } from '../mail/layout.ts';
import { openSmtp } from '../mail/transport.ts';

/**
 * Sends emails to people who use the dashboard. Emails to donors have their own queue:
 * `mail/queue.ts`.
 */
export interface PeopleMail {
  /** @throws {Error} if the mail server rejects the email */
  send(to: { name: string; address: string }, content: EmailContent): Promise<void>;
}

const SERVICE_NAME = 'Connect';

/**
 * Opens the mailer for people of the dashboard. Its emails contain secret links that must not be
 * stored, so they are sent immediately instead of queued.
 *
 * @returns undefined if no SMTP server is configured; the links are then shown to the person who
 *   creates them
 */
export function openPeopleMail(config: MailConfig): PeopleMail | undefined {
  const { smtpUrl } = config;
  if (!smtpUrl) return undefined;
  const translator = createTranslator('en');
  return {
    async send(to, content) {
      const transport = openSmtp(smtpUrl);
      const id = newId('mail');
      try {
        await transport.send({
          id,
          from: { name: SERVICE_NAME, address: config.from },
          to,
          replyTo: undefined,
          subject: content.subject.replace(/\p{Cc}+/gu, ' '),
          text: renderText(content, SERVICE_NAME),
          html: String(await renderHtml(content, { name: SERVICE_NAME }, translator)),
          language: translator.language,
          messageId: `<${id}@${config.from.split('@').at(-1)}>`,
        });
      } finally {
        transport.close();
      }
    },
  };
}

export const invitationEmail = (
  { organization, inviter, days }: { organization: string; inviter: string; days: number },
  url: string,
): EmailContent => ({
  subject: `${inviter} invited you to ${organization}`,
  paragraphs: [`${inviter} invited you to join the team of ${organization} on ${SERVICE_NAME}.`],
  rows: [],
  action: { text: 'Join', url, note: `The link is only for you and expires in ${days} days.` },
  footer: ['If you did not expect this invitation, ignore this email.'],
});

export const passwordResetEmail = (url: string): EmailContent => ({
  subject: 'Reset your password',
  paragraphs: ['We received a request to reset your password.'],
  rows: [],
  action: {
    text: 'Choose a new password',
    url,
    note: 'The link works once and expires in an hour.',
  },
  footer: ['If you did not request this, ignore this email. Your password will not change.'],
});
