/** Whether a project decides if merges squash the commits, whatever a merge request says. @param option its `squash_option` */
export const decidesSquash = (option: unknown): boolean => option === 'always' || option === 'never';
