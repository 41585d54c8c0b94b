/**
 * On the answer to `POST /payment-intents`, additive: until when cards are being tested on forms of
 * the organization, as far as is known. Whoever asks in the name of donors should want proof from
 * each of them so long: docs/decisions/0047-card-testing.md
 */
export const ATTACK_UNTIL_HEADER = 'Connect-Attack-Until';
