// Keeps entered answers in this tab when the page is reloaded, until they are submitted. If the browser stores nothing, answers are lost.
const form = document.querySelector('form');
// Each invitation link has its own stored answers.
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
