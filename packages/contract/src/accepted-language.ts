/**
 * The language that a browser would rather have than any other of ours.
 *
 * @param accepted the `Accept-Language` header: `de-AT,de;q=0.9,en;q=0.8`
 * @param isOurs by the tag's first part, in small letters
 */
export function preferredTag(
  accepted: string | undefined,
  isOurs: (language: string) => boolean,
): string | undefined {
  const asked = (accepted ?? '').split(',', 20).map((part) => {
    const [tag = '', quality = ''] = part.trim().split(/;\s*q=/);
    return { tag, weight: quality ? Number(quality) || 0 : 1 };
  });
  asked.sort((one, other) => other.weight - one.weight);
  return asked.find(({ tag, weight }) => weight > 0 && isOurs(tag.split('-')[0]!.toLowerCase()))
    ?.tag;
}
