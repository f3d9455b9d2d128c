import { defineEntity, p } from '@mikro-orm/sql';

/** A setting of the installation, such as the id of its first workflow. */
export const SettingEntity = defineEntity({
  name: 'Setting',
  tableName: 'setting',
  properties: {
    name: p.string().primary(),
    value: p.text(),
  },
});
