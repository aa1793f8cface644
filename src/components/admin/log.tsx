import { useTranslation } from "react-i18next";
import styles from "./admin.module.css";
import type { AdminSection } from "./sections.ts";

export const log: AdminSection = {
  enter: () => <Log />,
  leave: () => {},
};

function Log() {
  const { t } = useTranslation("admin");
  return (
    <section className={styles.section} aria-labelledby="log">
      <h2 id="log">{t("sections.log")}</h2>
    </section>
  );
}
