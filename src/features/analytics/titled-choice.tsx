import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ConsentChoice } from "./consent-choice.tsx";

/** The choice with a title, for use in a frame of the caller. */
export function TitledChoice({ around = (choice) => choice }: { around?: (choice: ReactNode, title: string) => ReactNode }) {
  const { t } = useTranslation("analytics");
  return around(<ConsentChoice />, t("choice.title"));
}
