/** Tables whose rows do not belong to one organization. Every other table is a tenant table. */
export const GLOBAL_TABLES = [
  'development_mail',
  'event_ticket_type',
  'idempotency_key',
  'installation',
  'oauth_app',
  'oauth_grant',
  'oauth_interaction',
  'oauth_token',
  'organization',
  'person',
  'setup_link',
  'sign_in_second_factor',
  'sign_in_session',
  'webhook_attempt',
];

const QUERY_METHODS = new Set(['selectFrom', 'insertInto', 'updateTable', 'deleteFrom']);
const SCOPES = new Set(['forOrganization', 'acrossOrganizations']);

/**
 * An ESLint rule that rejects queries of tenant tables outside of `forOrganization` and
 * `acrossOrganizations` (`packages/api/src/db/organization-scope.ts`), so that a query that forgets
 * the organization cannot be written by accident. A subquery of an expression builder, which is
 * named `eb`, belongs to its outer query.
 */
export const tenantTablesRule = {
  meta: { type: 'problem', schema: [], messages: { unscoped: '{{problem}}' } },
  create(context) {
    const isScope = (node) => node.type === 'CallExpression' && SCOPES.has(node.callee.name);
    const isScopeVariable = (node) => {
      if (node.type !== 'Identifier') return false;
      if (node.name === 'eb') return true;
      let scope = context.sourceCode.getScope(node);
      while (scope && !scope.set.has(node.name)) scope = scope.upper;
      const [definition] = scope?.set.get(node.name)?.defs ?? [];
      const type = definition?.name?.typeAnnotation?.typeAnnotation.typeName?.name;
      if (definition?.type === 'Parameter') return type === 'OrganizationScope';
      const { init } = definition?.node ?? {};
      return init ? isScope(init) : false;
    };
    return {
      CallExpression(node) {
        const { callee, arguments: args } = node;
        if (callee.type !== 'MemberExpression' || !QUERY_METHODS.has(callee.property.name)) return;
        // The tables of a subquery are checked where it is written.
        if (args[0]?.callee?.property?.name === 'as') return;
        // A table that is named by a variable counts as a tenant table.
        const [table] = String(args[0]?.value ?? 'this table').split(' ');
        if (GLOBAL_TABLES.includes(table)) return;
        if (isScope(callee.object) || isScopeVariable(callee.object)) return;
        const problem = `Query ${table} with forOrganization(db, organizationId), or with acrossOrganizations(db) if the work concerns all organizations.`;
        context.report({ node, messageId: 'unscoped', data: { problem } });
      },
    };
  },
};
