/** The media type of a workbook (.xlsx). */
export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
