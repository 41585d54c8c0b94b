import {
  COMPONENT_SCOPE,
  ConnectError,
  CreateComponentSession,
  SESSION_LIFETIME_SECONDS,
  type ComponentSession,
} from '@connect-embed/contract';
import { jsonBody } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Env } from '../http/env.ts';
import type { RequestDeps } from '../payments/deps.ts';
import type { Db } from '../db/schema.ts';
import { COMPONENT_SESSION_PREFIX, type Credential } from '../http/credential.ts';
import { checkScope } from '../auth/require-scope.ts';
import { forOrganization } from '../db/organization-scope.ts';
import { hashToken, newId, newToken } from '../lib/id.ts';

/**
 * `POST /component-sessions` creates a read-only token for a browser, valid for an hour (spec:
 * Embedding).
 *
 * Requires the read scope of every requested component:
 * docs/decisions/0005-credentials-and-scopes.md. The request also sets the masks of the session:
 * docs/decisions/0059-field-masking.md
 */
export const componentSessions = ({ db }: RequestDeps) =>
  new Hono<Env>().post('/', jsonBody(CreateComponentSession), async (c) =>
    c.json(await createComponentSession(db, c.var.credential, c.req.valid('json')), 201),
  );

async function createComponentSession(
  db: Db,
  credential: Credential,
  { components: requested, masks = [] }: CreateComponentSession,
): Promise<ComponentSession> {
  if (credential.kind !== 'api_key' && credential.kind !== 'oauth_token') {
    throw new ConnectError(
      'forbidden',
      'A session cannot create another session. Use an API key or access token.',
    );
  }
  const components = [...new Set(requested)];
  for (const component of components) checkScope(credential, COMPONENT_SCOPE[component]);

  const token = newToken(COMPONENT_SESSION_PREFIX);
  const session = {
    id: newId('cs'),
    components,
    masks: [...new Set(masks)],
    expires_at: new Date(Date.now() + SESSION_LIFETIME_SECONDS * 1000),
  };
  await forOrganization(db, credential.organization.id)
    .insertInto('component_session', {
      ...session,
      ...credential.revokedWith,
      token_hash: hashToken(token),
    })
    .execute();
  const { masks: appliedMasks, ...sessionFields } = session;
  return {
    ...sessionFields,
    object: 'component_session',
    organization_id: credential.organization.id,
    organization_name: credential.organization.name,
    token,
    expires_at: session.expires_at.toISOString(),
    ...(appliedMasks.length > 0 && { masks: appliedMasks }),
  };
}
