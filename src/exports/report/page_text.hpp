/// Our parts of the page, put into the program when it is built (src/exports/report/page.*).
#pragma once

namespace brisance::exports {

extern const char* const kPageHtml;    ///< with places of the other parts, as {{three}}
extern const char* const kPageStyle;   ///< CSS
extern const char* const kPageScript;  ///< JavaScript: data and charts
extern const char* const kPageView;    ///< JavaScript: the moving pieces

extern const char* const kModesHtml;    ///< the page of fracture modes, with places likewise
extern const char* const kModesImpact;  ///< JavaScript: impacts, as the C library computes them
extern const char* const kModesScript;  ///< JavaScript: modes, and clicks that break

}  // namespace brisance::exports
