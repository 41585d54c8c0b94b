import type { Logger } from 'pino';
import type { MailConfig } from '../config.ts';
import type { Db } from '../db/schema.ts';
import type { LeaseWorker } from '../lib/lease-worker.ts';
import type { ServerSettings } from '../db/own-server.ts';
import type { ManageLinks } from './manage-link.ts';
import { runMailWorker } from './mail-worker.ts';
import { createDevelopmentTransport } from './development-mailbox.ts';
import { openSmtp, type MailTransport } from './transport.ts';

interface MailWorkerOptions {
  db: Db;
  config: MailConfig;
  server: ServerSettings;
  baseUrl: string;
  manageLinks: ManageLinks;
  log: Logger;
}

/**
 * Starts the worker that sends queued emails. Returns undefined and logs a warning if no mail
 * transport is configured.
 */
export function startMailWorker({
  db,
  config,
  server,
  baseUrl,
  manageLinks,
  log,
}: MailWorkerOptions): LeaseWorker | undefined {
  const transport = openTransport(config, db);
  if (!transport) {
    log.warn('SMTP_URL is not set: donors get no receipts.');
    return undefined;
  }
  const { from } = config;
  return runMailWorker({ db, transport, log, baseUrl, manageLinks, from, server });
}

/** @returns undefined if no mail transport is configured */
function openTransport({ smtpUrl, mailbox }: MailConfig, db: Db): MailTransport | undefined {
  if (smtpUrl) return openSmtp(smtpUrl);
  return mailbox ? createDevelopmentTransport(db) : undefined;
}
