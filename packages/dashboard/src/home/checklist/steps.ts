import type { Progress } from './progress.ts';

export interface Step {
  name: string;
  /** What to do, and why. */
  text: string;
  isDone: boolean;
  /** Path of the page of the organization where it is done. */
  path: string;
  linkText: string;
}

/** The steps that lead to the first donation, with the next one. */
export interface Checklist {
  steps: Step[];
  next: Step;
}

/**
 * Returns the steps in the order in which they are done.
 *
 * @param options.isLive whether donors pay with live keys
 * @param options.server URL of the server that shows the organization's forms
 */
export function stepsOf(
  progress: Progress,
  { server, isLive }: { server: string | undefined; isLive: boolean },
): Step[] {
  const { formId, isPublished, hasServerKey, hasDonation } = progress;
  const isFormShown = progress.isFormShown || hasDonation;
  const formPath = formId ? `/forms/${formId}` : '/forms/new';
  return [
    {
      name: 'Set up your organization',
      text: '',
      isDone: true,
      path: '/organization',
      linkText: 'Name and logo',
    },
    {
      name: 'Set up card payments',
      text: 'Donations are paid into your own Stripe account.',
      isDone: progress.takesPayments,
      path: '/payments',
      linkText: 'Set up card payments',
    },
    {
      name: 'Publish your first form',
      text: 'Start with a template, change what you like, and publish it.',
      isDone: isPublished,
      path: formPath,
      linkText: formId ? 'Publish the form' : 'Create a form',
    },
    {
      name: 'Connect your server',
      text: 'A small server shows your forms on websites. It needs a key.',
      isDone: isFormShown || (hasServerKey && server !== undefined),
      path: '/server',
      linkText: 'Connect the server',
    },
    {
      name: 'Allow your website',
      text: 'Only websites that you allow can show your forms.',
      isDone: progress.hasSite,
      path: '/allowed-sites',
      linkText: 'Allow a website',
    },
    {
      name: 'Put the form on your page',
      text: 'Copy two lines of code into your page. This step is done as soon as the form was shown.',
      isDone: isFormShown,
      path: isPublished ? `${formPath}/share` : formPath,
      linkText: 'Copy the code',
    },
    {
      name: 'Make a test donation',
      text: 'Donate through your own form, and see it arrive here.',
      isDone: hasDonation,
      path: '/test-donation',
      linkText: 'Make a test donation',
    },
    {
      name: 'Take real donations',
      text: isLive
        ? 'Your forms take real money. Give a small amount yourself, and see it arrive.'
        : 'Until now no money moves. Enter your live keys when you are ready.',
      isDone: isLive && progress.hasLiveDonation,
      path: '/go-live',
      linkText: 'Take real donations',
    },
  ];
}
