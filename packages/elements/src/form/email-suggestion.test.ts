import { expect, nextFrame } from '@open-wc/testing';
import { sendKeys, sendMouse } from '@web/test-runner-commands';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import { server } from '../test-support/set-up.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const suggestion = (donor: Donor) => donor.find('#email-suggestion button');
const emailOf = () => server.requestsTo('/payment-intents').at(-1)?.body['donor_email'];

/** Types an address with the keyboard, because a script's input is no `change` when the field is left. */
async function typeEmail(donor: Donor, text: string) {
  donor.find('#email')!.focus();
  await sendKeys({ type: text });
}

describe('an email address that looks mistyped', () => {
  it('gets a suggestion when the donor leaves the field, which a press takes over', async () => {
    const donor = await Donor.open();
    await typeEmail(donor, 'ada@gmial.com');
    expect(suggestion(donor)).to.equal(null);
    await sendKeys({ press: 'Tab' });
    await donor.waitFor('#email-suggestion');
    expect(suggestion(donor)).to.have.trimmed.text('Did you mean ada@gmail.com?');
    expect(donor.find('[role=status]')).to.have.text('Did you mean ada@gmail.com?');
    const field = donor.find<HTMLInputElement>('#email')!;
    expect(field).to.have.attribute('aria-describedby', 'email-suggestion');
    await expect(donor.element).to.be.accessible();
    suggestion(donor)!.click();
    await waitUntil(() => donor.focused === field, 'the field has the focus');
    expect(field.value).to.equal('ada@gmail.com');
    expect(suggestion(donor)).to.equal(null);
    donor.type('name', 'Ada Lovelace');
    await donor.waitFor('.payment-fields:not(.waiting)');
    donor.submit();
    await donor.waitForText('Thank you, Ada');
    expect(emailOf()).to.equal('ada@gmail.com');
  });

  it('is sent as typed by a press of Give that leaves the field', async () => {
    const donor = await Donor.open();
    await donor.fill();
    donor.type('email', '');
    await typeEmail(donor, 'ada@gmial.com');
    const button = donor.find('form .primary')!;
    button.scrollIntoView();
    const { left, top } = button.getBoundingClientRect();
    await sendMouse({ type: 'move', position: [Math.ceil(left) + 20, Math.ceil(top) + 4] });
    await sendMouse({ type: 'down' });
    await nextFrame();
    expect(button.getBoundingClientRect().top, 'the button stays in place').to.equal(top);
    await sendMouse({ type: 'up' });
    await donor.waitForText('Thank you, Maya');
    expect(emailOf()).to.equal('ada@gmial.com');
  });

  it('loses its suggestion as soon as the donor corrects it', async () => {
    const donor = await Donor.open();
    await typeEmail(donor, 'ada@gmail.con');
    await sendKeys({ press: 'Tab' });
    await donor.waitFor('#email-suggestion');
    donor.find('#email')!.focus();
    await sendKeys({ press: 'End' });
    await sendKeys({ press: 'Backspace' });
    await waitUntil(() => !suggestion(donor), 'it is gone');
    await sendKeys({ type: 'm' });
    await sendKeys({ press: 'Tab' });
    await waitUntil(() => donor.focused?.id !== 'email', 'the donor has left the field');
    expect(suggestion(donor)).to.equal(null);
  });
});
