import { notFound } from '@connect-embed/contract';
import type { Deps } from '../../pages/deps.ts';
import type { DashboardContext } from '../../pages/env.ts';
import { qrCodePng, qrCodeSvg } from './qr-code.ts';
import { loadSharing } from './shared-form.ts';

/**
 * Downloads the QR code of a form's link as a file.
 *
 * @throws {ConnectError} `not_found` for a draft, or without a server that shows it
 */
export async function downloadQrCode(c: DashboardContext, deps: Deps, format: 'svg' | 'png') {
  const sharing = await loadSharing(c, deps);
  if (!sharing.server) throw notFound('QR code', c.req.param('id') ?? '');
  const { link, form } = sharing;
  c.header('Content-Disposition', `attachment; filename="${form.slug}.${format}"`);
  return format === 'svg'
    ? c.body(qrCodeSvg(link.url), 200, { 'Content-Type': 'image/svg+xml' })
    : c.body(await qrCodePng(link.url), 200, { 'Content-Type': 'image/png' });
}
