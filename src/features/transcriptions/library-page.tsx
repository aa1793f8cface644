import type { ReactNode } from "react";
import type { OpenFiling } from "#src/features/filing/actor.ts";
import { Page } from "#src/ui/page.tsx";
import styles from "./library.module.css";
import { LibraryButton, LibraryNav } from "./library-nav.tsx";

interface LibraryPageProps {
  title: string;
  actions?: ReactNode;
  /** Between the title and all else. */
  notice?: ReactNode;
  /** Null: there is no list to go by, and what is shown has the whole width. */
  filing: OpenFiling | null;
  /** What the page is for. */
  lead?: string;
  /** In the line above the content. */
  summary?: ReactNode;
  children: ReactNode;
}

/** The layout of the dashboard, of what others share, and of the trash: from one to another only the content changes. */
export function LibraryPage({ title, actions, notice, filing, lead, summary, children }: LibraryPageProps) {
  return (
    <Page className={styles.page} title={title} actions={actions}>
      {notice}
      {filing === null ? (
        children
      ) : (
        <div className={styles.shelves}>
          <LibraryNav filing={filing} />
          <div className="stack">
            <div className={`row fine ${styles.summary}`}>
              <LibraryButton />
              {summary}
              {lead === undefined ? null : <p>{lead}</p>}
            </div>
            {children}
          </div>
        </div>
      )}
    </Page>
  );
}
