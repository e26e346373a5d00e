// Shows the mail again while its texts are edited, as the button Show does, which is there without this script too.
const button = document.querySelector('[formtarget^="mail-preview"]');
let frame = document.querySelector('iframe');
let count = 0;
let timer;

function refresh() {
  // A fresh frame: what a form brings into an old one would be a step of the browser's history. The old one stays in sight until then.
  const fresh = document.createElement('iframe');
  count += 1;
  fresh.name = `mail-preview-${count}`;
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

// A form that was refused has what was typed, and the frame what is saved.
if (document.querySelector('[aria-invalid]') !== null) refresh();

button.form.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(refresh, 250);
});
