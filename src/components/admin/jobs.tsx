import { useTranslation } from "react-i18next";
import styles from "./admin.module.css";
import type { AdminSection } from "./sections.ts";

export const jobs: AdminSection = {
  enter: () => <Jobs />,
  leave: () => {},
};

function Jobs() {
  const { t } = useTranslation("admin");
  return (
    <section className={styles.section} aria-labelledby="jobs">
      <h2 id="jobs">{t("sections.jobs")}</h2>
    </section>
  );
}
