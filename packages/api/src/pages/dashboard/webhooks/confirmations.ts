import type { OrganizationEndpoint } from '../../../webhooks/organization-endpoints.ts';

interface ConfirmationText {
  title: string;
  text: string;
  verb: string;
}

/** Confirmation texts of the actions on a webhook endpoint, keyed by the path of the form. */
export const CONFIRMATIONS: Record<string, (endpoint: OrganizationEndpoint) => ConfirmationText> = {
  '/disable': () => ({
    title: 'Switch the endpoint off?',
    text: 'Notices that wait for it are given up, and it is not told of what happens while it is off. It can be switched on again at any time.',
    verb: 'Switch it off',
  }),
  '/rotate-secret': () => ({
    title: 'Make a new signing secret?',
    text: 'For 24 hours every notice carries two signatures, one with the secret of now and one with the new one, so that your program can change over without a gap. After that only the new one signs.',
    verb: 'Make a new secret',
  }),
  '/delete': ({ of_app }) => ({
    title: 'Delete the endpoint?',
    text: `Nothing is sent to it any more, and the record of what was sent goes with it. This cannot be undone.${of_app ? ' The application that made it may make another one; disconnect it to prevent that.' : ''}`,
    verb: 'Delete the endpoint',
  }),
};
