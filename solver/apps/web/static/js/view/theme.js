// Light or dark: as the system has it, or as the player wants it.

const KEY = "theme";

/** @param {HTMLElement} button */
export function startTheme(button) {
  const root = document.documentElement;
  try {
    const wanted = localStorage.getItem(KEY);
    if (wanted) root.dataset.theme = wanted;
  } catch {
    // without storage the system decides
  }
  button.addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try {
      localStorage.setItem(KEY, root.dataset.theme);
    } catch {
      // it holds until the page is left
    }
  });
}
