import { axe, row, testsIn, type Criterion } from './criterion.ts';

const { criteria, screenReader } = testsIn;

const noMedia = [
  ...criteria('are not in the form: …', 'are not in a goal, nor in a table with its chart'),
];
const PAGE = 'A task of the page that embeds the elements.';
const leavesPage = criteria(
  'keeps its title, and gets neither navigation nor links to other pages',
);

/** The 31 success criteria of level A in WCAG 2.2. */
export const LEVEL_A: readonly Criterion[] = [
  row(
    '1.1.1 Non-text Content',
    'Supports',
    'Icons and logos are decorative and hidden; the name of the organization is text. A chart has a name, each bar has its figures as text, and the same figures are in a table.',
    axe,
    testsIn.chart(
      'has an accessible name for every image that is not hidden from screen readers',
      'has the same figures in a table',
    ),
  ),
  row('1.2.1 Audio-only and Video-only (Prerecorded)', 'Not Applicable', 'No media.', noMedia),
  row('1.2.2 Captions (Prerecorded)', 'Not Applicable', 'No media.', noMedia),
  row(
    '1.2.3 Audio Description or Media Alternative (Prerecorded)',
    'Not Applicable',
    'No media.',
    noMedia,
  ),
  row(
    '1.3.1 Info and Relationships',
    'Supports',
    'Native fieldsets, labels, headings and tables. Rows that become cards on a phone keep their table roles.',
    axe,
    screenReader('for the form'),
    testsIn.table(
      'is a native table with a caption, column headers and row headers',
      'keeps its table roles for screen readers in the card layout',
    ),
  ),
  row(
    '1.3.2 Meaningful Sequence',
    'Supports',
    'The order of the content is the order on the screen.',
    screenReader('for the form', 'for the thank-you page'),
  ),
  row(
    '1.3.3 Sensory Characteristics',
    'Supports',
    'Messages name a control by its text, never by its shape, color or position.',
    testsIn.messages('the English messages name no control by its shape, color or position'),
  ),
  row(
    '1.4.1 Use of Color',
    'Supports',
    'Errors and statuses are text. A selected amount also has another border and fill.',
    screenReader('for missing fields'),
    testsIn.table('shows statuses as text'),
    testsIn.journeys(
      'in forced colors every control has a border, and focus and selection are visible',
    ),
  ),
  row('1.4.2 Audio Control', 'Not Applicable', 'No audio.', noMedia),
  row(
    '2.1.1 Keyboard',
    'Supports',
    'A donation, all rows, sorting, details, and the bars of a chart. The card fields of Stripe were tested with our stand-in.',
    testsIn.journeys('a donation by keyboard alone'),
    testsIn.tableFeatures(
      'can all be reached by keyboard',
      'opens its details by keyboard and loads them again',
    ),
    testsIn.chart('is one tab stop, and the arrow keys move from bar to bar'),
  ),
  row(
    '2.1.2 No Keyboard Trap',
    'Supports',
    'Tab leaves the form in both directions, also through the card fields. Escape closes dialogs.',
    testsIn.journeys('the Tab key leaves the form in both directions, through the card fields'),
    testsIn.tableFeatures('opens its details by keyboard and loads them again'),
  ),
  row(
    '2.1.4 Character Key Shortcuts',
    'Not Applicable',
    'There are no shortcuts of single characters.',
    criteria('have no effect outside of text fields'),
  ),
  row(
    '2.2.1 Timing Adjustable',
    'Supports',
    'Sessions are renewed without a message and keep the input. A third party’s CAPTCHA, if the operator chose one, has its own time limits.',
    testsIn.failures('an expired session is renewed without a message'),
    testsIn.resume('finds the input after a reload before the payment intent is created'),
  ),
  row(
    '2.2.2 Pause, Stop, Hide',
    'Partially Supports',
    'A table that refreshes itself and a goal update while they are visible, without moving the focus. The page can switch this off for a table (`refresh-seconds="0"`), but a viewer has no control to pause it.',
    testsIn.liveTables(
      'a donation appears in a live table when it is made, without moving the focus',
    ),
    testsIn.goal('polls, and less often while nothing changes'),
  ),
  row(
    '2.3.1 Three Flashes or Below Threshold',
    'Supports',
    'No repeated animation is faster than three times a second.',
    noMedia,
  ),
  row(
    '2.4.1 Bypass Blocks',
    'Not Applicable',
    `${PAGE} The form is a named region with a heading.`,
    screenReader('for the form'),
  ),
  row('2.4.2 Page Titled', 'Not Applicable', PAGE, leavesPage),
  row(
    '2.4.3 Focus Order',
    'Supports',
    'The order of the content. After an action the focus moves to its result, and returns when a dialog is closed.',
    testsIn.journeys('a donation by keyboard alone'),
    testsIn.dialog('dispatches events when it opens and closes, and restores focus and scrolling'),
    testsIn.tableFeatures(
      'receives the focus when its details are closed, also if it was opened by mouse',
    ),
  ),
  row(
    '2.4.4 Link Purpose (In Context)',
    'Supports',
    'A link in the error summary is the error itself; a donation in a payout is linked by its donor.',
    axe,
    screenReader('for missing fields'),
    testsIn.details('links donations to the URL in donation-link'),
  ),
  row(
    '2.5.1 Pointer Gestures',
    'Supports',
    'Everything works with single clicks.',
    criteria('are used for clicks only: no dragging, multipoint gesture or motion'),
  ),
  row(
    '2.5.2 Pointer Cancellation',
    'Supports',
    'Controls act when the pointer is released on them.',
    criteria('cause nothing until they are released on the control'),
  ),
  row(
    '2.5.3 Label in Name',
    'Supports',
    'axe checks every state for names that lack the visible text.',
    axe,
  ),
  row(
    '2.5.4 Motion Actuation',
    'Not Applicable',
    'Motion is not used.',
    criteria('are used for clicks only: no dragging, multipoint gesture or motion'),
  ),
  row(
    '3.1.1 Language of Page',
    'Not Applicable',
    `${PAGE} An element is in the language of its page.`,
    testsIn.languages('is drawn in the language of its page, and never in another before'),
  ),
  row(
    '3.2.1 On Focus',
    'Supports',
    'Focus opens nothing. The first focus in a form loads the card fields, which do not take it.',
    criteria('opens nothing and keeps the focus when it is focused'),
    testsIn.cardLoading('do not take the focus from a donor who has moved on to another field'),
  ),
  row(
    '3.2.2 On Input',
    'Partially Supports',
    'The elements’ own fields neither submit nor move the focus. Stripe’s card fields may move it to the next field when one is complete.',
    criteria('neither submits nor moves the focus when its value changes'),
  ),
  row('3.2.6 Consistent Help', 'Not Applicable', PAGE, leavesPage),
  row(
    '3.3.1 Error Identification',
    'Supports',
    'Each error is beside its field and in a summary with links, as text. Stripe describes errors of its card fields.',
    screenReader('for missing fields'),
    testsIn.flow('lists every invalid field in an error summary with links'),
    testsIn.summary('an empty card is in the error summary, and its link leads to the card'),
  ),
  row(
    '3.3.2 Labels or Instructions',
    'Supports',
    'Every field has a label, required fields say so, and an amount has its limits.',
    screenReader('for the form'),
    testsIn.options('has a hint with the minimum and maximum'),
  ),
  row(
    '3.3.7 Redundant Entry',
    'Supports',
    'Input is kept after an error and a reload. After a declined card only the card is entered again.',
    testsIn.cards('a declined card keeps the input, and another card is charged once'),
    testsIn.resume('finds the input after a reload before the payment intent is created'),
  ),
  row(
    '4.1.2 Name, Role, Value',
    'Supports',
    'Native controls. The frames of the card fields are Stripe’s.',
    axe,
    screenReader('for the form'),
    testsIn.journeys('a loaded card form'),
  ),
];
