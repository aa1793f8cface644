import type { ReactNode } from "react";
import type { InsightRequest } from "#contract/index.ts";
import type { OpenInsights } from "./actor.ts";
import type { Playing } from "./points.tsx";

/** Props of the component for each kind of insight. */
export interface PartProps extends OpenInsights {
  title: string;
  /** The transcript's folder; null: none. */
  folderId: string | null;
  playing: Playing;
  /** The language of the next result; null: the transcript's. */
  language: InsightRequest["language"];
  languageField: ReactNode;
}
