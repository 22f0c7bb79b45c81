import { useEffect, useRef, useSyncExternalStore, type MouseEvent } from 'react';

const watchAddress = (changed: () => void) => {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
};

function decoded(segment: string) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

/** Returns the segments of the address after `#`: `tickets/5`, `orders/<number>`, `account/new`, `studio`. */
export const useRoute = (): string[] =>
  useSyncExternalStore(watchAddress, () => window.location.hash)
    .replace(/^#\/?/, '')
    .split('/')
    .map(decoded);

export const goTo = (place: string): void => {
  window.location.hash = `#/${place}`;
};

/** Starts each page at its top, for screen readers, too; the skip link leads there past the header. */
export function useFocus(place: string) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(place);
  useEffect(() => {
    if (shown.current !== place) {
      main.current?.focus({ preventScroll: true });
      window.scrollTo(0, 0);
    }
    shown.current = place;
  }, [place]);
  const skip = (event: MouseEvent) => {
    event.preventDefault(); // the part after # is for places
    main.current?.focus();
  };
  return { main, skip };
}
