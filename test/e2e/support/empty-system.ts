import { startSystem } from '../../support/system.ts';
import { test as base, expect } from './fixtures.ts';

/** A system of its own, whose database is empty. Its `site` is the link of the first start. */
export const test = base.extend({
  system: async ({}, use) => {
    const { output, close, ...addresses } = await startSystem({ START_EMPTY: '1' });
    const [, setupLink = ''] = /Start here\s+\S*?(http:\S+?)(?:\u001B|\s)/.exec(output()) ?? [];
    await use({ ...addresses, site: setupLink });
    expect(await close()).toBe(0);
  },
});

/** How long the server may take to see a change of the dashboard. */
export const PUBLICATION_TIMEOUT_MS = 60_000;
