import { submitEvidence, closeDispute } from '../disputes.ts';
import { EVIDENCE_NAMES } from '../objects/dispute.ts';
import { fields, flag, metadata, text } from '../params.ts';
import { action, filterBy, mergeMetadata, listAndRetrieve } from '../resource-routes.ts';

const UPDATE_PARAMS = {
  evidence: fields(Object.fromEntries(EVIDENCE_NAMES.map((name) => [name, text]))),
  submit: flag,
  metadata,
};

/**
 * `/v1/disputes` of the simulated Stripe API: disputes, and their evidence that an organization
 * submits.
 */
export const disputes = () =>
  listAndRetrieve('dispute', filterBy('charge', 'payment_intent'))
    .post(
      '/:id',
      action(UPDATE_PARAMS, ({ ledger, id, params }) => {
        const dispute = ledger.find('dispute', id, 'dispute');
        const { evidence, submit, metadata: metadataChange } = params;
        dispute.metadata = mergeMetadata(dispute.metadata, metadataChange);
        if (evidence ?? submit) return submitEvidence(ledger, dispute, { evidence, submit });
        ledger.emit('charge.dispute.updated', ledger.save(dispute));
        return dispute;
      }),
    )
    .post(
      '/:id/close',
      action({}, ({ ledger, id }) => closeDispute(ledger, ledger.find('dispute', id), 'lost')),
    );
