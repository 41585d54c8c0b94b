import type { ErrorType } from './error-status.ts';

/**
 * Every `error.code`, grouped by its `error.type`: what happened, and what the caller can do.
 *
 * A code is more specific than the type, and as stable. An error that has no more specific code
 * carries its type as the code. The API's documentation of errors is generated from this table.
 */
export const ERROR_CODES = {
  invalid_request: {
    invalid_request: 'The request is not valid. The message says what to change.',
    parameter_invalid: 'The value of `param` is not valid. The message says which values are.',
    parameter_missing: 'The request requires `param`.',
    parameter_unknown: '`param` is not a parameter of this request. Check its spelling.',
    parameter_repeated: '`param` occurs more than once in the query. Send it once.',
    body_not_json: 'The body is not valid JSON in UTF-8.',
    embed_session_expired:
      'The embed session does not exist, has expired, or belongs to another credential. Create another embed session and send the request again.',
    processor_rejected:
      'The card processor does not accept the value of `param`, for example because the amount is below its minimum for the currency.',
    signature_invalid:
      'The signature does not match the body, or its timestamp is too old. Sign the unchanged bytes of the body, and check the secret and the clock.',
  },
  unauthorized: {
    unauthorized: 'The credential is not valid, has expired or was revoked.',
    credential_missing: 'The request has no credential. Send `Authorization: Bearer <token>`.',
    viewer_token_invalid:
      'The viewer token of the platform is not valid or has expired. Issue another one.',
    visitor_token_invalid: 'The page has been open for too long. Reload it.',
  },
  insufficient_scope: {
    insufficient_scope:
      'The credential lacks a scope. The message names it. Create an API key with this scope, or ask the organization to authorize it.',
  },
  forbidden: {
    forbidden: 'This kind of credential or this role may not send the request.',
    field_masked: 'The session masks this data, so it cannot be requested.',
    organization_not_connected:
      'The organization has not connected the platform, or has disconnected it. Send its owner through the OAuth flow again.',
    origin_not_allowed:
      'The page’s origin is not in the list of allowed sites. Add it to the configuration of the server.',
    forms_not_listed:
      'The server does not list its forms. Enter the name of the form, or change the configuration of the server.',
    second_factor_required:
      'The action requires a second factor of sign-in. Set it up under “Your account”.',
  },
  not_found: {
    not_found: 'There is nothing at this address.',
    resource_missing: 'This organization has no resource with this id.',
    route_not_found: 'The API has no such path. Check it against the reference.',
    form_not_found: 'There is no published form with this name. Check its spelling.',
    form_closed: 'The form is closed and accepts no donations. Its owner can open it again.',
    campaign_ended:
      'The campaign of the form has ended or is switched off, and accepts no donations. Its owner can change that.',
    page_expired: 'The donation page has expired. Open the form again.',
  },
  method_not_allowed: {
    method_not_allowed: 'The path exists, but not with this method. `Allow` lists the methods.',
  },
  conflict: {
    conflict: 'The state of the resource does not allow the request. The message says why.',
    charges_disabled:
      'The organization cannot accept donations yet, because its account at the card processor is incomplete or restricted.',
    idempotency_key_in_use:
      'The first request with this `Idempotency-Key` is still in progress. Send the request again in a few seconds, with the same key.',
    idempotency_key_reused:
      'Another request has used this `Idempotency-Key`. Use a new key for a new request.',
    limit_reached: 'The maximum number of such resources exists. Delete one first.',
    recurring_donation_canceled: 'The recurring donation is canceled and cannot be changed.',
    refund_in_progress: 'Another refund of the donation is in progress. Try again in a minute.',
    refund_not_possible: 'The donation cannot be refunded. The message says why.',
    resource_archived: 'The resource is archived. Restore it first.',
    resource_in_use: 'Other resources refer to this one, so it cannot be deleted.',
  },
  payload_too_large: {
    payload_too_large: 'The body is too large. The message states the limit.',
  },
  unsupported_media_type: {
    unsupported_media_type: 'The body has another type than `application/json`.',
  },
  proof_required: {
    proof_required:
      'Stolen cards are being tested, so the donation requires a proof of work. Request a challenge, solve it, and send its solution in the `Proof` header.',
  },
  rate_limited: {
    rate_limited:
      'The credential, page or address has sent too many requests. Wait for the seconds in `Retry-After`.',
    processor_busy:
      'More donations are arriving than the card processor accepts. `queue_position` is the place of this one in line, and it is kept: after the seconds in `Retry-After`, send the request again with the same `Idempotency-Key`.',
    card_limit_reached:
      'Too many cards were tried on this form or from this address. Wait for the seconds in `Retry-After`.',
  },
  server_error: {
    server_error:
      'Something went wrong on our side. Send the request again with the same `Idempotency-Key`, and report the `request_id` if it fails again.',
  },
  unavailable: {
    unavailable:
      'The service cannot respond at the moment. Wait for the seconds in `Retry-After`, and send the request again with the same `Idempotency-Key`.',
    credential_rejected:
      'The API rejects the credential of this server, for example because the API is not set up yet. The log of the server says which setting to correct.',
    setup_incomplete:
      '`/readyz` of the server: nobody has set up the API yet. Open the link that the API prints at its start.',
    database_unavailable: 'The database cannot be reached at the moment. Send the request again.',
    disk_full:
      '`/readyz`: the disk of the database is almost full, so donations cannot be recorded.',
    migrations_pending:
      '`/readyz`: the database lacks the latest migrations, for example after a backup was restored.',
    secret_mismatch: '`/readyz`: `API_SECRET` of this process is not that of the database.',
    processor_keys_missing:
      '`/readyz`: no organization with a Stripe account has keys with which payments can be made.',
    api_unavailable: '`/readyz` of the server: the API does not respond, or is not ready itself.',
    processor_unavailable:
      'The card processor cannot be reached at the moment. Nothing was charged twice: send the request again with the same `Idempotency-Key`.',
    server_not_found:
      'The address responded 404, but not as this API does. Check the address. Only clients create this error.',
    response_not_api:
      'The address responded, but not with a response of this API. Check the address. Only clients create this error.',
  },
} as const satisfies {
  [Type in ErrorType]: { readonly [code: string]: string } & Record<Type, string>;
};

/** The codes of an `error.type`. */
export type ErrorCodeOf<Type extends ErrorType> = keyof (typeof ERROR_CODES)[Type];

export type ErrorCode = { [Type in ErrorType]: ErrorCodeOf<Type> }[ErrorType];
