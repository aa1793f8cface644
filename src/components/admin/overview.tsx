import { useTranslation } from "react-i18next";
import styles from "./admin.module.css";
import type { AdminSection } from "./sections.ts";

export const overview: AdminSection = {
  enter: () => <Overview />,
  leave: () => {},
};

function Overview() {
  const { t } = useTranslation("admin");
  return (
    <section className={styles.section} aria-labelledby="overview">
      <h2 id="overview">{t("sections.overview")}</h2>
    </section>
  );
}
