/* The script of the setup page of the organization. It selects the time zone of the browser. */

const field = document.getElementById('time_zone');
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const isKnown = [...field.options].some(({ value }) => value === timeZone);
// Another choice than the first was made by the person.
if (isKnown && field.selectedIndex === 0) field.value = timeZone;
