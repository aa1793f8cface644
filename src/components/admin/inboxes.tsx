import { useTranslation } from "react-i18next";
import styles from "./admin.module.css";
import type { AdminSection } from "./sections.ts";

export const inboxes: AdminSection = {
  enter: () => <Inboxes />,
  leave: () => {},
};

function Inboxes() {
  const { t } = useTranslation("admin");
  return (
    <section className={styles.section} aria-labelledby="inbox">
      <h2 id="inbox">{t("sections.inbox")}</h2>
    </section>
  );
}
