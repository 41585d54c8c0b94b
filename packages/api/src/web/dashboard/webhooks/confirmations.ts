import type { OrganizationEndpoint } from '../../../webhooks/organization-endpoints.ts';

interface ConfirmationText {
  title: string;
  text: string;
  buttonLabel: string;
}

/** Confirmation texts of the actions on a webhook endpoint, keyed by the path of the form. */
export const CONFIRMATIONS: Record<string, (endpoint: OrganizationEndpoint) => ConfirmationText> = {
  '/disable': () => ({
    title: 'Turn off the endpoint?',
    text: 'Pending deliveries are canceled, and events that occur while the endpoint is off are not sent. You can turn it on again at any time.',
    buttonLabel: 'Turn off',
  }),
  '/rotate-secret': () => ({
    title: 'Create a new signing secret?',
    text: 'For 24 hours, each webhook event is signed with both the current and the new secret, so that you can update your endpoint without interruption. After that, only the new secret is used.',
    buttonLabel: 'Create new secret',
  }),
  '/delete': ({ is_created_by_app }) => ({
    title: 'Delete the endpoint?',
    text: `The endpoint will receive no more events, and its delivery history will be deleted. This cannot be undone.${is_created_by_app ? ' The app that created it can create another one. To prevent that, disconnect the app.' : ''}`,
    buttonLabel: 'Delete endpoint',
  }),
};
