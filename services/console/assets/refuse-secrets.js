/** Keeps a form in the page that holds the secret of a key: it must not leave the browser. The server checks it too. */
const secret = /lsk_(?:live|test)_[A-Za-z0-9_-]/i;

for (const form of document.querySelectorAll('form[data-refuse-secrets]')) {
  form.addEventListener('submit', (event) => {
    const holders = [...form.querySelectorAll('textarea, input')].filter(({ value }) => secret.test(value));
    if (holders.length === 0) return;
    event.preventDefault();
    for (const holder of holders) holder.value = '';
    const problem = document.createElement('p');
    problem.className = 'error';
    problem.setAttribute('role', 'alert');
    problem.textContent = form.dataset.refuseSecrets;
    const place = form.querySelector('[data-secret-problem]');
    place.replaceChildren(problem);
    place.scrollIntoView({ block: 'center' });
  });
}
