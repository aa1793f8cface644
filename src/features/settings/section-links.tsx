import { useSyncExternalStore } from "react";
import { sectionInView } from "./section-in-view.ts";
import styles from "./settings.module.css";

interface SectionLinksProps {
  label: string;
  sections: readonly { id: string; title: string }[];
}

/** The way to each section; the one that is being read is marked. */
export function SectionLinks({ label, sections }: SectionLinksProps) {
  const ids = sections.map(({ id }) => id);
  const current = useSyncExternalStore(followScrolling, () => sectionInView(ids));
  return (
    <nav className={styles.sections} aria-label={label}>
      {sections.map(({ id, title }) => (
        <a
          key={id}
          href={`#${id}`}
          aria-current={id === current ? "location" : undefined}
          ref={id === current ? bringIntoView : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}

function followScrolling(listener: () => void): () => void {
  addEventListener("scroll", listener, { passive: true });
  addEventListener("resize", listener);
  return () => {
    removeEventListener("scroll", listener);
    removeEventListener("resize", listener);
  };
}

/** Where not all links have room, they scroll by themselves; the page stays where it is. */
function bringIntoView(link: HTMLElement | null): void {
  const row = link?.parentElement;
  if (!link || !row) return;
  row.scrollTo({ left: link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2 });
}
