import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { completeTerms, DONATION_BOUNDS_CENTS, FormSettings } from '@connect-embed/contract';
import { presentationOf } from './presentation.ts';

const terms = completeTerms(
  { frequencies: ['one_time', 'monthly'], preset_amounts_by_frequency: { monthly: [1000] } },
  DONATION_BOUNDS_CENTS,
);
const settings = (change: object = {}) => FormSettings.parse({ terms, ...change });

describe('presentationOf', () => {
  test('a version from before these settings has none', () => {
    assert.equal(presentationOf(settings()), undefined);
  });

  test('contains only what the owner has set', () => {
    const presentation = presentationOf(
      settings({
        display: 'sticky',
        texts: { heading: 'Feed a family', thank_you: 'Thank you!' },
        appearance: { corners: 'square', theme: 'auto' },
      }),
    );
    assert.deepEqual(presentation, {
      properties: { display: 'sticky', theme: 'auto' },
      messages: { title: 'Feed a family', thanksNote: 'Thank you!' },
      style: '--connect-border-radius:0px',
      accent_color: null,
      impact_texts: {},
      impact_texts_by_frequency: { monthly: {} },
    });
  });

  test('leaves a page without a link to the form its form', () => {
    assert.equal(presentationOf(settings({ display: 'modal' })), undefined);
  });

  test('lightens the accent color for the dark theme, unless the owner has set another', () => {
    const styleOf = (appearance: object) => presentationOf(settings({ appearance }))?.style;
    const derived = styleOf({ accent_color: '#0b6b5b' });
    assert.match(derived ?? '', /^--connect-color-primary:light-dark\(#0b6b5b,#(?!0b6b5b)\w{6}\)$/);
    assert.equal(
      styleOf({ accent_color: '#0b6b5b', accent_color_dark: '#6ad6bd' }),
      '--connect-color-primary:light-dark(#0b6b5b,#6ad6bd)',
    );
    assert.equal(
      styleOf({ accent_color_dark: '#ff9900' }),
      '--connect-color-primary:light-dark(#0b6b5b,#ff9900)',
    );
  });

  test('has the texts of each frequency that has amounts of its own', () => {
    const presentation = presentationOf(
      settings({
        impact_texts: { 2500: 'a week of lunches' },
        impact_texts_by_frequency: { monthly: { 1000: 'a lunch' }, yearly: { 5000: 'unused' } },
      }),
    );
    assert.deepEqual(presentation?.impact_texts, { 2500: 'a week of lunches' });
    assert.deepEqual(presentation.impact_texts_by_frequency, { monthly: { 1000: 'a lunch' } });
  });
});
