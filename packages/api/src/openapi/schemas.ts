import * as contract from '@connect-embed/contract';
import { Id } from '@connect-embed/contract/field-schemas';
import { z } from 'zod';

/** The keywords of JSON Schema in OpenAPI 3.1 that are used here. */
export interface JsonSchema {
  [keyword: string]: unknown;
  $ref?: string;
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
}

const { listOf } = contract;

/** Schemas of responses, by the names that generated clients use. */
const RESPONSES = {
  Donation: contract.Donation,
  DonationSummary: contract.DonationSummary,
  DonationSeries: contract.DonationSeries,
  DonationFund: contract.DonationFund,
  ProcessingPayment: contract.ProcessingPayment,
  RecurringPlan: contract.RecurringPlan,
  Donor: contract.Donor,
  DonorSummary: contract.DonorSummary,
  Payout: contract.Payout,
  PayoutSummary: contract.PayoutSummary,
  BalanceTransaction: contract.BalanceTransaction,
  EventTicketType: contract.EventTicketType,
  Event: contract.FundraisingEvent,
  Registration: contract.Registration,
  Campaign: contract.Campaign,
  CampaignProgress: contract.CampaignProgress,
  AllowedSite: contract.AllowedSite,
  AllowedSiteRequest: contract.AllowedSiteRequest,
  Form: contract.Form,
  FormPage: contract.FormPage,
  Fund: contract.Fund,
  Organization: contract.Organization,
  PaymentIntent: contract.PaymentIntent,
  PaymentIntentStatus: contract.PaymentIntentStatus,
  DonationTerms: contract.DonationTerms,
  EmbedSession: contract.EmbedSession,
  EmbedForm: contract.EmbedForm,
  FormPresentation: contract.FormPresentation,
  ComponentSession: contract.ComponentSession,
  LiveEvent: contract.LiveEvent,
  WebhookEndpoint: contract.WebhookEndpoint,
  WebhookEndpointWithSecret: contract.WebhookEndpointWithSecret,
  WebhookDelivery: contract.WebhookDelivery,
  CsvFile: z.string().describe('A line of headings, and one for each row (RFC 4180).'),
  DonationList: listOf(contract.Donation),
  DonationFundList: listOf(contract.DonationFund),
  ProcessingPaymentList: listOf(contract.ProcessingPayment),
  RecurringPlanList: listOf(contract.RecurringPlan),
  DonorList: listOf(contract.Donor),
  PayoutList: listOf(contract.Payout),
  PayoutTransactionList: listOf(contract.BalanceTransaction),
  EventList: listOf(contract.FundraisingEvent),
  RegistrationList: listOf(contract.Registration),
  CampaignList: listOf(contract.Campaign),
  AllowedSiteList: listOf(contract.AllowedSite),
  FormList: listOf(contract.Form),
  FundList: listOf(contract.Fund),
  WebhookDeliveryList: listOf(contract.WebhookDelivery),
  WebhookEndpoints: z.object({
    data: z
      .array(contract.WebhookEndpoint)
      .describe('All endpoints of the credential, newest first.'),
  }),
  DeletedWebhookEndpoint: z.object({ id: Id, deleted: z.literal(true).describe('Always true.') }),
  WebhookEvent: contract.WebhookEvent,
  Error: contract.ErrorEnvelope,
} as const satisfies Record<string, z.ZodType>;

/** Named schemas of request bodies. The schema of any other body is written inline. */
const REQUESTS = {
  CreatePaymentIntent: contract.CreatePaymentIntent,
  CreateAllowedSiteRequest: contract.CreateAllowedSiteRequest,
  CreateEmbedSession: contract.CreateEmbedSession,
  Prefill: contract.Prefill,
  CreateComponentSession: contract.CreateComponentSession,
  CreateWebhookEndpoint: contract.CreateWebhookEndpoint,
  UpdateWebhookEndpoint: contract.UpdateWebhookEndpoint,
} as const satisfies Record<string, z.ZodType>;

export type ResponseName = keyof typeof RESPONSES;

const schemaPointer = (name: string) => `#/components/schemas/${name}`;

export const schemaRef = (name: ResponseName): JsonSchema => ({ $ref: schemaPointer(name) });

/** Converts all named zod schemas to JSON Schema. */
export function namedSchemas(): Record<string, JsonSchema> {
  return { ...convertAll(REQUESTS, 'input'), ...convertAll(RESPONSES, 'output') };
}

/** Returns the schema of a request body: a reference if the schema has a name, else the schema itself. */
export function requestSchema(schema: z.ZodType): JsonSchema {
  const namedSchema = Object.entries(REQUESTS).find(([, candidate]) => candidate === schema);
  return namedSchema ? { $ref: schemaPointer(namedSchema[0]) } : convert(schema);
}

export interface QueryParameter {
  name: string;
  description: string | undefined;
  schema: JsonSchema;
}

/** Returns the query parameters with their types after parsing, such as boolean for `true`. */
export function queryParameters(schema: z.ZodType): QueryParameter[] {
  const { properties = {} } = convert(schema);
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    description,
    schema: toParsedType(schema),
  }));
}

function toParsedType({ pattern, ...schema }: JsonSchema): JsonSchema {
  if (schema.const === 'true') return { type: 'boolean', const: true };
  if (schema.enum?.join() === 'true,false') return { type: 'boolean' };
  return schema.type === 'integer' || pattern === undefined ? schema : { ...schema, pattern };
}

const OPTIONS = { target: 'draft-2020-12', override: simplify } as const;

const convert = (schema: z.ZodType): JsonSchema =>
  withoutIdentity(z.toJSONSchema(schema, { ...OPTIONS, io: 'input' }) as JsonSchema);

function convertAll(schemas: Record<string, z.ZodType>, io: 'input' | 'output') {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const converted = z.toJSONSchema(registry, { ...OPTIONS, io, uri: schemaPointer }).schemas;
  return Object.fromEntries(
    Object.entries(converted).map(([id, schema]) => [id, withoutIdentity(schema as JsonSchema)]),
  );
}

const withoutIdentity = ({ $schema: _, $id: __, ...schema }: JsonSchema): JsonSchema => schema;

/** Removes redundant keywords: JavaScript's integer bounds, and the long pattern of `date-time`. */
function simplify({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: object }) {
  const schema = jsonSchema as JsonSchema;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.format === 'date-time') delete schema.pattern;
  // Responses may get new fields, so additional properties are allowed.
  const { def } = zodSchema._zod;
  if (def.type === 'object' && def.catchall === undefined) delete schema['additionalProperties'];
  if (def.type === 'default') schema['default'] = def.defaultValue;
  if (zodSchema === contract.UpdateWebhookEndpoint) schema['minProperties'] = 1;
}
