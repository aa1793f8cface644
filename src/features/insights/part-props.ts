import type { ReactNode } from "react";
import type { InsightRequest } from "#contract/index.ts";
import type { OpenInsights } from "./actor.ts";
import type { Playing } from "./points.tsx";

/** What each kind is shown with. */
export interface PartProps extends OpenInsights {
  title: string;
  /** Of the transcript; null: it is in none. */
  folderId: string | null;
  playing: Playing;
  /** Of what is made next; null: that of the transcript. */
  language: InsightRequest["language"];
  languageField: ReactNode;
}
