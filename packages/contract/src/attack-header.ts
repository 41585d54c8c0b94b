/**
 * Response header of `POST /payment-intents`: the ISO-8601 time until which the organization is in
 * attack mode, because attackers test stolen cards on its forms. Until then, a server should
 * require a proof of work from every donor: docs/decisions/0047-card-testing.md
 */
export const ATTACK_UNTIL_HEADER = 'Connect-Attack-Until';
