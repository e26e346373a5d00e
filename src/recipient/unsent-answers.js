// Keeps what is entered over a reload of the page, in this tab, until it is submitted. Where the browser stores nothing, it does nothing.
const form = document.querySelector('form');
// Another link has its own.
const key = `answers ${location.pathname} ${new FormData(form).get('invitation') ?? ''}`;
const stored = sessionStorage.getItem(key);

if (stored !== null) {
  const answers = new Map(JSON.parse(stored));
  for (const field of form.querySelectorAll('textarea')) field.value = answers.get(field.name) ?? '';
  for (const field of form.querySelectorAll('[type=radio]')) field.checked = answers.get(field.name) === field.value;
}

form.addEventListener('input', () => {
  const answers = [...new FormData(form)].filter(([name]) => name.startsWith('answer.'));
  sessionStorage.setItem(key, JSON.stringify(answers));
});
form.addEventListener('submit', () => sessionStorage.removeItem(key));
