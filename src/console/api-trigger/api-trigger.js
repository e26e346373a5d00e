// Refreshes the preview while the email is edited. Without this script, people press the button Show instead.
const button = document.querySelector('[formtarget^="email-preview"]');
let frame = document.querySelector('iframe');
let count = 0;
let timer;

function refresh() {
  // Loading the form into the old frame would add an entry to the browser's history, so each preview gets a new frame. The old frame stays
  // visible until the new one has loaded.
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

// After an error, the form shows what was typed but the frame shows what is saved, so refresh the frame.
if (document.querySelector('[aria-invalid]') !== null) refresh();

button.form.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(refresh, 250);
});
