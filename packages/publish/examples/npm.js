import '@connect-embed/elements/define/connect-donate.js';

const form = document.createElement('connect-donate');
form.server = 'https://giving.example.org';
form.form = 'meals';
form.addEventListener('connect-ready', () => {
  document.querySelector('p').textContent = 'Ready';
});
document.querySelector('main').append(form);
