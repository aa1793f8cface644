import type { ReactNode } from "react";
import type { OpenFiling } from "#src/features/filing/actor.ts";
import { Page } from "#src/ui/page.tsx";
import styles from "./library.module.css";
import { LibraryButton, LibraryNav } from "./library-nav.tsx";

interface LibraryPageProps {
  title: string;
  actions?: ReactNode;
  /** Shown below the title. */
  notice?: ReactNode;
  /** Null: there are no folders, and the content uses the whole width. */
  filing: OpenFiling | null;
  /** The purpose of the page. */
  lead?: string;
  /** Shown in the line above the content. */
  summary?: ReactNode;
  children: ReactNode;
}

/**
 * The layout of the dashboard, the transcripts shared by others, and the trash. Only the content changes between them.
 */
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
