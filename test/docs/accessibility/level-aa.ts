import { axe, row, testsIn, type Criterion } from './criterion.ts';

const { criteria, screenReader } = testsIn;

const noMedia = criteria(
  'are not in the form: …',
  'are not in a goal, nor in a table with its chart',
);
const PAGE = 'A task of the site that embeds the elements.';
const leavesPage = criteria(
  'keeps its title, and gets neither navigation nor links to other pages',
);

/** The 24 success criteria of level AA in WCAG 2.2. */
export const LEVEL_AA: readonly Criterion[] = [
  row('1.2.4 Captions (Live)', 'Not Applicable', 'No media.', noMedia),
  row('1.2.5 Audio Description (Prerecorded)', 'Not Applicable', 'No media.', noMedia),
  row(
    '1.3.4 Orientation',
    'Supports',
    'The layout depends on the width alone.',
    criteria('shows everything in …'),
  ),
  row(
    '1.3.5 Identify Input Purpose',
    'Supports',
    'Name and email address. Stripe identifies the fields of its card form.',
    criteria('of the donor’s details names its purpose to the browser'),
  ),
  row(
    '1.4.3 Contrast (Minimum)',
    'Supports',
    'With the default colors, light and dark. Colors that a page sets are its own responsibility.',
    axe,
  ),
  row(
    '1.4.4 Resize Text',
    'Supports',
    'Text of twice the size, and 400 % zoom.',
    testsIn.magnified('can be read with text of twice the size at the width of a phone'),
    criteria('of a table is complete with … at the width of a phone'),
    testsIn.journeys(
      'at 400 % zoom everything is readable and reachable without horizontal scrolling',
    ),
  ),
  row(
    '1.4.5 Images of Text',
    'Supports',
    'There are none, apart from logos that an owner uploads.',
    noMedia,
  ),
  row(
    '1.4.10 Reflow',
    'Supports',
    'Elements fit into 280 pixels, those with a chart into 288; rows of tables become cards.',
    axe,
    testsIn.journeys(
      'at 400 % zoom everything is readable and reachable without horizontal scrolling',
    ),
  ),
  row(
    '1.4.11 Non-text Contrast',
    'Supports',
    'Borders of controls, focus, bars of charts and goals, with the default colors. Stripe’s frames get the same colors.',
    criteria(
      'the borders of controls, the bars of a chart and of a goal have a contrast of 3 : 1',
      'every focused control of a table is outlined in 3 : 1, and not covered',
    ),
  ),
  row(
    '1.4.12 Text Spacing',
    'Supports',
    'The frames of the card fields take no styles from the page.',
    testsIn.magnified('cuts off no text with increased letter spacing: … px'),
    testsIn.goal('cuts off no text with increased letter spacing, in 280 pixels'),
    criteria('of a table is complete with … at the width of a phone'),
  ),
  row(
    '1.4.13 Content on Hover or Focus',
    'Supports',
    'Nothing opens over other content. The figures of a bar have a fixed place above the chart, and stay under the pointer.',
    testsIn.chart(
      'shows the figures of the bar under the pointer',
      'has the same height for every active bar, at every width',
    ),
  ),
  row('2.4.5 Multiple Ways', 'Not Applicable', PAGE, leavesPage),
  row(
    '2.4.6 Headings and Labels',
    'Supports',
    'The heading says whom the donation supports, the caption of a table what its rows are.',
    screenReader('for the form', 'for the thank-you page'),
    testsIn.table('is a native table with a caption, column headers and row headers'),
  ),
  row(
    '2.4.7 Focus Visible',
    'Supports',
    'An outline of at least two pixels, also in forced colors.',
    criteria('every focused control of a table is outlined in 3 : 1, and not covered'),
    testsIn.journeys(
      'in forced colors every control has a border, and focus and selection are visible',
      'at 400 % zoom everything is readable and reachable without horizontal scrolling',
    ),
  ),
  row(
    '2.4.11 Focus Not Obscured (Minimum)',
    'Supports',
    'The close button of a dialog is the only fixed content.',
    testsIn.dialog('has a close button that covers no field while scrolling: …'),
    criteria('every focused control of a table is outlined in 3 : 1, and not covered'),
    testsIn.journeys(
      'at 400 % zoom everything is readable and reachable without horizontal scrolling',
    ),
  ),
  row(
    '2.5.7 Dragging Movements',
    'Not Applicable',
    'Nothing is dragged.',
    criteria('are used for clicks only: no dragging, multipoint gesture or motion'),
  ),
  row(
    '2.5.8 Target Size (Minimum)',
    'Supports',
    '24 pixels, and 44 on touch screens for tables. Stripe sizes the controls in its frames.',
    testsIn.magnified('has targets of at least 24 pixels'),
    testsIn.targets('of the tables'),
  ),
  row(
    '3.1.2 Language of Parts',
    'Partially Supports',
    'Each element marks its language. Texts that an owner entered, such as a title, are shown in every language and not marked.',
    testsIn.languages('can have another language than another form on the page'),
  ),
  row('3.2.3 Consistent Navigation', 'Not Applicable', PAGE, leavesPage),
  row(
    '3.2.4 Consistent Identification',
    'Supports',
    'The same tool has the same name in every table.',
    criteria('has the same name in every table'),
  ),
  row(
    '3.3.3 Error Suggestion',
    'Supports',
    'An error says what to enter: the limits, or an example.',
    testsIn.flow(
      'explains beside the field why … is no valid amount, and sends nothing',
      'shows an example of a valid amount when the input is invalid',
    ),
  ),
  row(
    '3.3.4 Error Prevention (Legal, Financial, Data)',
    'Supports',
    'Input is checked first, the button names the amount, and one press is one charge.',
    testsIn.flow('lists every invalid field in an error summary with links'),
    testsIn.form('is submitted once, however often Give is pressed'),
  ),
  row(
    '3.3.8 Accessible Authentication (Minimum)',
    'Not Applicable',
    'The elements have no sign-in. The proof of work asks nothing of a donor. A bank’s authentication and a third party’s CAPTCHA, if the operator chose one, were not evaluated.',
    testsIn.flow('solves a proof-of-work challenge when the server requires one'),
  ),
  row(
    '4.1.3 Status Messages',
    'Supports',
    'Progress, new rows and a changed sum are announced once and do not move the focus.',
    screenReader('is made once'),
    testsIn.tableLive(
      'adds new rows on top, announces them, and keeps the DOM nodes of the others',
    ),
    testsIn.goal('announces a changed sum once, and not the first one'),
  ),
];
