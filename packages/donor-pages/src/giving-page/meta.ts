import { html, raw } from 'hono/html';
import type { GivingPage } from './giving-page.ts';
import { SHARE_IMAGE_SIZE } from './share-image.ts';

/** What search engines and social networks read: the canonical address, and the preview of a link. */
export function metaTags(page: GivingPage, title: string) {
  const { description, address, organization, imageUrl, isIndexable } = page;
  const name = organization?.name;
  return html`${address ? html`<link rel="canonical" href="${address}" />` : ''}
    ${description ? html`<meta name="description" content="${description}" />` : ''}
    <meta property="og:type" content="website" />
    <meta property="og:title" content="${title}" />
    ${name ? html`<meta property="og:site_name" content="${name}" />` : ''}
    ${description ? html`<meta property="og:description" content="${description}" />` : ''}
    ${address ? html`<meta property="og:url" content="${address}" />` : ''}
    ${
      imageUrl
        ? html`<meta property="og:image" content="${imageUrl}" />
            <meta property="og:image:type" content="image/png" />
            <meta property="og:image:width" content="${SHARE_IMAGE_SIZE.width}" />
            <meta property="og:image:height" content="${SHARE_IMAGE_SIZE.height}" />
            <meta property="og:image:alt" content="${name ? `${title} · ${name}` : title}" />`
        : ''
    }
    <meta name="twitter:card" content="${imageUrl ? 'summary_large_image' : 'summary'}" />
    ${isIndexable ? structuredData(page, title) : ''}`;
}

/** Describes the page to search engines (https://schema.org/DonateAction). */
function structuredData(
  { description, address, organization, imageUrl }: GivingPage,
  title: string,
) {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'DonateAction',
    name: title,
    ...(description && { description }),
    ...(imageUrl && { image: imageUrl }),
    ...(address && { target: { '@type': 'EntryPoint', urlTemplate: address } }),
    ...(organization && {
      recipient: {
        '@type': 'NGO',
        name: organization.name,
        ...(organization.website && { url: organization.website }),
      },
    }),
  };
  // `</script>` in a text would end the element.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return raw(`<script type="application/ld+json">${json}</script>`);
}
