/** Matches a tag with its attributes; `\0` stands for a value. */
const TAG = /<(\/?)([a-z][\w-]*)((?:\s+[.?@]?[\w-]+(?:="[^"\0>]*"|=\0)?)*)\s*(\/?)>/g;

/** Elements that have no content, and are therefore closed by `/>`. */
const VOID = new Set(['br', 'col', 'hr', 'img', 'input', 'wbr']);

/** Why the HTML of a template cannot be rendered, or undefined. */
function problemOf(html) {
  const open = [];
  let problem;
  const rest = html.replace(TAG, (_, end, tag, attributes, isClosed) => {
    if (VOID.has(tag) && !isClosed) problem ??= `<${tag}> must be closed by "/>".`;
    if (end && open.pop() !== tag) problem ??= `</${tag}> closes no element.`;
    if (!end && !isClosed) open.push(tag);
    return '';
  });
  if (/[<>]/.test(rest))
    return 'An attribute must be a text in double quotes or one value, and comments are not supported.';
  if (problem) return problem;
  if (open.length) return `<${open.at(-1)}> is not closed.`;
  return /&[\w#]+;/.test(html) ? 'Write the character instead of an entity.' : undefined;
}

/**
 * An ESLint rule for the HTML of the elements' templates, which are rendered without the browser's
 * parser: `packages/elements/src/shared/html.ts`.
 */
export const elementTemplatesRule = {
  meta: { type: 'problem', schema: [], messages: { invalid: '{{problem}}' } },
  create: (context) => ({
    TaggedTemplateExpression(node) {
      if (node.tag.name !== 'html') return;
      const problem = problemOf(node.quasi.quasis.map(({ value }) => value.cooked).join('\0'));
      if (problem) context.report({ node, messageId: 'invalid', data: { problem } });
    },
  }),
};
