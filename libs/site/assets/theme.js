// Runs before the page is shown, so that a chosen theme does not flash.
document.documentElement.classList.add('js');
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked: the theme of the system stays.
}
