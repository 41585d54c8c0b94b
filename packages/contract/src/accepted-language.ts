/**
 * The language that a browser would rather have than any other of ours.
 *
 * @param acceptLanguage the `Accept-Language` header: `de-AT,de;q=0.9,en;q=0.8`
 * @param isSupported by the tag's first part, in small letters
 */
export function preferredLanguageTag(
  acceptLanguage: string | undefined,
  isSupported: (language: string) => boolean,
): string | undefined {
  const asked = (acceptLanguage ?? '').split(',', 20).map((part) => {
    const [tag = '', quality = ''] = part.trim().split(/;\s*q=/);
    return { tag, weight: quality ? Number(quality) || 0 : 1 };
  });
  asked.sort((one, other) => other.weight - one.weight);
  return asked.find(
    ({ tag, weight }) => weight > 0 && isSupported(tag.split('-')[0]!.toLowerCase()),
  )?.tag;
}
