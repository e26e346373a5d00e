// Refreshes the preview while the email is edited, as the button Show does without this script.
const button = document.querySelector('[formtarget^="email-preview"]');
let frame = document.querySelector('iframe');
let count = 0;
let timer;

function refresh() {
  // A new frame: loading the form into the old one would add to the browser's history. The old one stays visible until then.
  const fresh = document.createElement('iframe');
  count += 1;
  fresh.name = `email-preview-${count}`;
  fresh.title = frame.title;
  fresh.setAttribute('sandbox', '');
  frame.after(fresh);
  frame = fresh;
  fresh.addEventListener('load', () => {
    for (const other of fresh.parentElement.querySelectorAll('iframe')) if (other !== frame) other.remove();
  });
  button.formTarget = fresh.name;
  button.form.requestSubmit(button);
}

// After an error the form has what was typed, but the frame shows what is saved.
if (document.querySelector('[aria-invalid]') !== null) refresh();

button.form.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(refresh, 250);
});
